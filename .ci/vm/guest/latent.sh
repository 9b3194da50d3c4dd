# An error bit is set that nobody reads, since the kernel was told to leave AER alone.
. ./errors
port=$(above "$(address nvme)")
echo "$port" >devices
monitor "pcie_aer_inject_error -c dn1 RCVR"
within 10 eval "lspci -vvs $port | grep -q 'DevSta:.*CorrErr+'"
# Meanwhile the clock is set back by an hour.
before=$(date +%s)
(within 30 compgen -G "*.part-*" && date -s "1 hour ago") >/dev/null &
./hwcap collect --skip ras --timeout 60s -o root.tar.gz
((before > $(date +%s)))
