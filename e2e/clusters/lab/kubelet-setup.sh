# Sourced by init.sh: what a kubelet, kube-proxy and containerd need in a cluster's mounts and network.
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
for setting in ipv4/conf/all/route_localnet bridge/bridge-nf-call-iptables; do echo 1 > "/proc/sys/net/$setting"; done
