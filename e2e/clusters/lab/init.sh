#!/bin/bash
# Process 1 of a cluster, in its own network, mounts and processes: init.sh FOLDER. Everything in the cluster ends with it.
cd "$1" || exit 1
while read -r group; do echo 0 > "$group/system/cgroup.procs"; done < cgroups
mount --make-rshared /
# Programs write to fixed places below these.
for folder in /run /var/lib /var/log /opt; do mount -t tmpfs -o mode=755 cluster $folder; done
mkdir -p /run/lock /var/lib/kubelet /var/log/containers masks
# The kubelet sets these for the whole machine: it finds its values here, and the machine keeps its own.
mask() {
  echo "$2" > "masks/${1//\//-}"
  mount --bind "masks/${1//\//-}" "/proc/sys/$1"
}
mask vm/overcommit_memory 1
mask vm/panic_on_oom 0
mask kernel/panic 10
mask kernel/panic_on_oops 1
mask kernel/keys/root_maxkeys 1000000
mask kernel/keys/root_maxbytes 25000000

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
for setting in ipv4/ip_forward ipv4/conf/all/route_localnet bridge/bridge-nf-call-iptables; do
  echo 1 > "/proc/sys/net/$setting"
done
. ./control-plane.sh
await api
. ./node.sh
while :; do
  wait
  sleep 1
done
