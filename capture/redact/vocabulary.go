package redact

import "strings"

// vocabulary are words that mean something in logs and in the output of tools.
// A host or user called like one is replaced only where something announces a
// name.
var vocabulary = set(strings.Fields(`
	access acpi active address admin administrator algorithm alias allocated amdgpu apic atlantic audit auto available
	balloon bank bios blade block board boot bridge buffer bus bytes cache capability card cgroup channel chip class client
	clock cluster command common config configuration console container control controller core correctable corrected
	count counter cpuset crypto current data database debian debug default desktop detected device devices disabled disk
	display domain down driver drivers dump dynamic echo edac efifb email enabled endpoint engine entry error errors
	ethernet event events external fabric failed failure fatal fedora feature fedora file files filter firewall firmware
	flags flash force format free frame from full function gateway generic global graphics group guest hardware hash
	header health heap help hidden high home host hotplug hypervisor i915 image index info input instance intel internal
	interface interrupt iommu ipmi item kernel keyboard keys kworker label laptop latency layout lease legacy length level
	library limit line link linux list live loaded local localhost lock logger login long lookup lost main manager manual
	mask master mbox media memory message messages microcode mirror missing mode model module monitor mount mouse name
	native network node none normal notebook nouveau null nvidia nvme object offline online open option options other
	output page panic parent parity partition passive path pcie pciehp pending perf performance physical pipe platform
	policy pool port power present primary print printer priority private probe process processor product profile protocol
	proxy public python query queue radeon random range rate read ready recovery region register relay remote removed
	replay report reserved reset resource retry root router rule running sample scan schedule scheduler script secondary
	section secure security segment sensor serial server service session shared shell signal size slot smart socket
	software sound source space speed stack start state statistics status stop storage stream string submit summary super
	support suspend swap switch symbol sync sysfs system systemd table tablet target task temp temperature test tester
	thermal thread thunderbolt time timeout timer token topology total trace transport tree type ubuntu uncorrected
	unknown update upstream user users value vendor version video virtio virtual volume wait wake warning watchdog width
	window wireless work worker workstation write xilinx zone zswap
	acpiphp aesni ahci aspeed ast atkbd bluetooth btusb ccp cdc cfg80211 cxl dmar dmesg dracut drm ehci ehci_hcd fbcon ftrace
	hid hpet hpsa hwmon ibmvfc ice igb intel_pstate ioatdma iscsi isci iwlwifi ixgbe kauditd kthread kvm libata libsas lockd lpfc
	mac80211 megaraid megasas mgag200 microcode mpt2sas mpt3sas netlink nfsd nmi nvmet ohci pcieport pinctrl pnp psmouse qat
	ramdisk random rasdaemon rcu sched scsi sdhci serio sgx smartpqi smpboot snd spi swiotlb tsc typec ucsi uhci usbcore usbhid
	vers vfio vmd vmlinuz vmxnet xfs xhci xhci_hcd zram
	athlon atom bronze celeron epyc gold opteron pentium platinum ryzen silver threadripper xeon
	alpha arch beta centos gentoo manjaro mint opensuse proxmox raspberrypi raspberry redhat rocky suse
	almalinux alpine armbian coreos devuan endeavouros flatcar freenas kali nixos
	openmediavault openwrt opnsense oracle pfsense raspbian slackware steamos truenas unraid vyos
`)...)

// deviceWords are what the names of devices begin with that the kernel numbers.
var deviceWords = set(strings.Fields(`
	ata bond bus card channel controller core cpu csrow dimm disk enclosure eth event expander hwmon host i2c ib input
	irq kvm loop mc md mlx4_ mlx5_ mmcblk nbd node nvme phy pkg port ptp ram rank rtc scsi slot socket target team thermal
	tty usb veth video virbr wlan wwan zram
`)...)

// isDevice reports whether a name is a device's: nvme0, host12. A machine called
// so is not sought where its name means the device.
func isDevice(name []byte) bool {
	word := strings.TrimRight(strings.ToLower(string(name)), "0123456789")
	return len(word) < len(name) && deviceWords[word]
}
