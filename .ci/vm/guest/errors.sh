# All that can be recorded is: errors, as the kernel, its counters and rasdaemon's database see them. Collects as root,
# as nobody and into a pipe, and at last while the drive is unplugged.
. ./errors

# A daemon that records, as a server has it; its trace buffer wakes it at half full unless told otherwise.
rasdaemon -r
within 30 test -f /sys/kernel/tracing/instances/rasdaemon/buffer_percent
echo 0 >/sys/kernel/tracing/instances/rasdaemon/buffer_percent

modprobe -a crypto_user aesni_intel xts gcm ccm
network=$(address e1000e)
counters=/sys/bus/pci/devices/$network
for n in 1 2 3; do
  aer_inject "$network" 0x1 0 # receiver error
  within 20 grep -qx "TOTAL_ERR_COR $n" "$counters/aer_dev_correctable"
done
aer_inject "$network" 0 0x4000 # completion timeout, non-fatal
within 20 grep -qx "TOTAL_ERR_NONFATAL 1" "$counters/aer_dev_nonfatal"
# A fatal error can be read, and counted, at a port only: a device beyond a dead link answers no more.
drive=$(address nvme)
port=$(above "$drive")
aer_inject "$port" 0 0x20 # surprise down, fatal
within 20 grep -qx "TOTAL_ERR_FATAL 1" "/sys/bus/pci/devices/$port/aer_dev_fatal"
aer_inject "$network" 0 0x40000 # malformed TLP, fatal
within 20 eval "dmesg | grep -q 'AER: device recovery successful'"
sleep 2 # the daemon writes
echo "$network $port $drive" >devices

./hwcap collect --timeout 60s -o root.tar.gz
cat /proc/crypto >crypto
setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent ./hwcap collect --timeout 60s -o - >nobody.tar.gz
./hwcap collect --only pci --only log -o - | ./hwcap report - -o piped --lang en --format md
ls piped

# The button of the drive's slot is pressed when the samples begin. The drive goes five seconds later: for so long the
# kernel lets one take that back.
./hwcap collect --skip ras --timeout 60s --watch-links 12s -o unplug.tar.gz &
within 120 compgen -G "/tmp/*unplug.tar.gz.part-*/links" >/dev/null
monitor "device_del nv1"
wait $!
test ! -e "/sys/bus/pci/devices/$drive"

# Nothing stays behind: no spool, no process.
[ -z "$(find /tmp -name '*.part-*')" ]
[ -z "$(pgrep -x hwcap || true)" ]
