#!/bin/bash
# Runs in the virtual machine as root, with hwcap beside it in /tmp: makes errors on a PCIe link, collects as root and
# as nobody, and reports through a pipe. What comes out is checked by TestVirtualMachine.
set -eux
cd /tmp

# The record that /dev/aer_inject takes in one write (struct aer_error_inj of the kernel's pcie/aer_inject.c): bus,
# device, function, a byte of padding, uncorrectable and correctable bits, four words of the TLP header, the domain.
le32() { for shift in 0 8 16 24; do printf '\\x%02x' $(($1 >> shift & 255)); done; }
aer_inject() { # ADDRESS CORRECTABLE UNCORRECTABLE
  { set +x; } 2>/dev/null
  record=$(printf '\\x%02x\\x%02x\\x%02x\\x00' $((16#${1:5:2})) $((16#${1:8:2})) "${1:11:1}")
  for word in "$3" "$2" 0x04000001 0x0000200f 0x05000000 0 0; do record+=$(le32 "$word"); done
  printf "$record" >/run/record
  dd if=/run/record of=/dev/aer_inject bs=32 status=none
  set -x
}

# A daemon that records, as a server has it; its trace buffer wakes it at half full unless told otherwise.
rasdaemon -r
for _ in {1..50}; do
  [ -f /sys/kernel/tracing/instances/rasdaemon/buffer_percent ] && break
  sleep 0.1
done
echo 0 >/sys/kernel/tracing/instances/rasdaemon/buffer_percent

modprobe -a crypto_user aesni_intel xts gcm ccm
network=$(basename "$(readlink -f /sys/class/net/eth*/device)")
for _ in 1 2 3; do
  aer_inject "$network" 0x1 0 # receiver error
  sleep 0.3
done
aer_inject "$network" 0 0x4000 # completion timeout, non-fatal
sleep 1
grep -x 'TOTAL_ERR_COR 3' "/sys/bus/pci/devices/$network/aer_dev_correctable"
echo "$network" >injected

./hwcap collect --timeout 60s -o root.tar.gz
cat /proc/crypto >crypto
setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent ./hwcap collect --timeout 60s -o - >nobody.tar.gz
./hwcap collect --only pci --only log -o - | ./hwcap report - -o piped --lang en --format md
ls -l piped
# Nothing stays behind: no spool, no process.
[ -z "$(find /tmp -name '*.part-*')" ]
[ -z "$(pgrep -x hwcap || true)" ]
