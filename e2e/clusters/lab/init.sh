#!/bin/bash
# Process 1 of a cluster, in its own network, mounts and processes: init.sh FOLDER [SETUP]. Everything in the cluster ends
# with it. SETUP is a script that prepares what one kind of node needs.
cd "$1" || exit 1
# shellcheck source=/dev/null
[ -z "$2" ] || . "$2"

# Starts a program again whenever it ends.
keep() {
  local name=$1
  shift
  (
    while :; do
      "$@" >> "log/$name.log" 2>&1 &
      echo $! > "run/$name.pid"
      wait $!
      sleep 0.3
    done
  ) &
}
# Waits until another process has created a file.
await() { until [ -e "run/$1" ]; do sleep 0.05; done; }

await network
echo 1 > /proc/sys/net/ipv4/ip_forward
. ./control-plane.sh
await api
. ./node.sh
while :; do
  wait
  sleep 1
done
