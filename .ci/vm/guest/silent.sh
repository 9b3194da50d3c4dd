# A newer kernel, no IOMMU, and a daemon that is left as its package has it: errors are counted and logged, yet too few
# to wake it.
. ./errors
rasdaemon -r
modprobe -a crypto_user aesni_intel xts gcm ccm
sleep 2
network=$(address e1000e)
for n in 1 2 3; do
  aer_inject "$network" 0x1 0 # receiver error
  within 20 grep -qx "TOTAL_ERR_COR $n" "/sys/bus/pci/devices/$network/aer_dev_correctable"
done
sleep 2
echo "$network" >devices
./hwcap collect --timeout 60s -o root.tar.gz
cat /proc/crypto >crypto
