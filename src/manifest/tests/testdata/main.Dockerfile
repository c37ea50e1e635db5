# syntax=registry.test/d/frontend:1
# escape=`
ARG BASE=registry.test/d/base:1
ARG VER=3
ARG NODEF
ARG QUOTED="registry.test/d/quoted:1"
ARG TWICE=registry.test/d/twice:1
ARG PARTLY=registry.test/d/partly:1 OTHER=registry.test/d/other:1
ARG NESTED=registry.test/d/nested:${VER}
ARG STAGE=build
FROM ${BASE} AS first
ARG BASE=registry.test/d/inner:1
FROM --platform=$BUILDPLATFORM registry.test/d/build:2 AS build
RUN --mount=type=bind,from=registry.test/d/mount:1,target=/m --mount=type=cache,target=/c,from=first true
COPY --from=registry.test/d/files:5 /a /a
COPY --chown=1:1 --from=first /b /b
COPY --from=0 /c /c
RUN <<EOF cat
FROM registry.test/d/heredoc-not-me:1
EOF
RUN echo "<<NO" && `
    # a comment between the lines
    echo 'FROM registry.test/d/quoted-not-me:1'

from `
  # which base

  registry.test/d/lower:1 `
  as lower
FROM registry.test/d/vers:${VER}
FROM ${NODEF}
FROM ${NOWHERE:-registry.test/d/fallback:1}
FROM $QUOTED
FROM $TWICE AS one
FROM ${TWICE} AS two
FROM $PARTLY
FROM ${PARTLY}-slim
FROM $OTHER
FROM $NESTED
FROM $STAGE
FROM scratch
COPY --from=build /x /x
FROM BUILD
# windlass: ignore
FROM registry.test/d/ignored:1
LABEL from="FROM registry.test/d/label-not-me:1"
ONBUILD COPY --from=registry.test/d/onbuild:1 /a /a
FROM "registry.test/d/in-quotes:1"
FROM registry.test/d/Upper:1
FROM registry.test/d/split`
ted:1
