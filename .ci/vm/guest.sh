#!/bin/bash
# Runs in the virtual machine as root, with hwcap beside it in /tmp: collects as root and as nobody, once with
# injected errors. What comes out is checked by TestVirtualMachine.
set -eux
cd /tmp

# aer_inject DEVICE-ON-BUS CORRECTED UNCORRECTED: one record of the kernel's aer_inject.h, 32 bytes little endian.
le32() { printf "\\x$(printf %02x $(($1 & 255)))\\x$(printf %02x $(($1 >> 8 & 255)))\\x$(printf %02x $(($1 >> 16 & 255)))\\x$(printf %02x $(($1 >> 24 & 255)))"; }
aer_inject() {
  bus=$((16#${1:5:2})) dev=$((16#${1:8:2})) fn=${1:11:1}
  { printf "\\x$(printf %02x $bus)\\x$(printf %02x $dev)\\x$(printf %02x $fn)\\x00"; le32 $(($3)); le32 $(($2)); le32 0x12345678; le32 0; le32 0; le32 0; le32 0; } >/dev/aer_inject
}

network=$(basename "$(readlink -f /sys/class/net/e*/device)")
before=$(grep TOTAL /sys/bus/pci/devices/$network/aer_dev_correctable)
for _ in 1 2 3; do aer_inject "$network" 0x1 0; sleep 0.3; done # receiver errors
aer_inject "$network" 0 0x4000 # completion timeout, non-fatal
sleep 1
after=$(grep TOTAL /sys/bus/pci/devices/$network/aer_dev_correctable)
[ "$before" != "$after" ]
echo "$network" >injected

./hwcap collect -o root.tar.gz
chmod 0711 /tmp 2>/dev/null || true
setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent ./hwcap collect -o - >nobody.tar.gz
./hwcap collect -o - | ./hwcap report - -o piped --lang en --format md
ls -l piped
# Nothing stays behind: no spool, no process.
[ -z "$(find /tmp -name '*.part-*')" ]
[ -z "$(pgrep -x hwcap || true)" ]
