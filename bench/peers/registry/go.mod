module bench/registry

go 1.22
