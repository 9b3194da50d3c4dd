package judge

// effect is what a kernel parameter does to a diagnosis.
type effect string

const (
	hidesPCIe    effect = "pcie"   // PCIe errors are not seen
	hidesMemory  effect = "memory" // memory and processor errors are not seen
	hidesKernel  effect = "kernel" // trouble of the kernel is not seen
	claimsApart  effect = "claims" // devices count as isolated without being so
	lowersGuards effect = "guards" // a protection between devices and memory is off
)

// bootEffect is a row on one kernel parameter. Value is what stands behind the
// equals sign; "" for a parameter that is a switch, "*" for any value. A
// parameter that takes a list holds Value as one of its elements.
type bootEffect struct {
	Name, Value string
	Effect      effect
	De, En      string
}

// bootEffects are the parameters that hide errors or claim isolation. Source:
// Documentation/admin-guide/kernel-parameters.txt, and the parameters of the
// modules mce, ghes and vfio; pcie_acs_override is of a patch that no kernel.org
// release has.
var bootEffects = []bootEffect{
	{"pci", "noaer", hidesPCIe, "Linux behandelt keine PCIe-Fehler (AER) und fragt die Firmware nicht danach", "Linux handles no PCIe errors (AER) and does not ask the firmware for them"},
	{"pci", "nommconf", hidesPCIe, "der erweiterte Konfigurationsraum ist nicht erreichbar, und mit ihm AER, ACS, SR-IOV und Resizable BAR", "extended configuration space cannot be reached, and with it AER, ACS, SR-IOV and Resizable BAR"},
	{"pci", "nomsi", hidesPCIe, "ohne MSI fragt Linux die Firmware nicht nach der Fehlerbehandlung", "without MSI Linux does not ask the firmware for error handling"},
	{"pcie_aspm", "off", hidesPCIe, "Linux fragt die Firmware nach keinem PCIe-Dienst; auch AER bleibt aus", "Linux asks the firmware for no PCIe service; AER stays off too"},
	{"pcie_ports", "compat", hidesPCIe, "kein Port-Dienst läuft, auch AER und DPC nicht", "no port service runs, neither AER nor DPC"},
	{"hest_disable", "", hidesPCIe, "die Fehlerquellen der Firmware (HEST) bleiben ungelesen", "the firmware's error sources (HEST) are not read"},
	{"ghes.disable", "1", hidesPCIe, "Fehlerberichte der Firmware (GHES) bleiben ungelesen", "error reports of the firmware (GHES) are not read"},
	{"bert_disable", "", hidesKernel, "was die Firmware vom vorigen Lauf aufgezeichnet hat (BERT), bleibt ungelesen", "what the firmware recorded of the run before (BERT) is not read"},
	{"erst_disable", "", hidesKernel, "Abstürze werden nicht im Speicher der Firmware (ERST) abgelegt", "crashes are not kept in the firmware's store (ERST)"},
	{"mce", "off", hidesMemory, "Machine Checks sind abgeschaltet", "machine checks are switched off"},
	{"nomce", "", hidesMemory, "Machine Checks sind abgeschaltet", "machine checks are switched off"},
	{"mce", "ignore_ce", hidesMemory, "korrigierte Fehler von Speicher und Prozessor werden nicht abgefragt", "corrected errors of memory and processor are not polled"},
	{"mce", "dont_log_ce", hidesMemory, "korrigierte Fehler von Speicher und Prozessor werden nicht gemeldet", "corrected errors of memory and processor are not reported"},
	{"mce", "no_cmci", hidesMemory, "korrigierte Fehler melden sich nicht sofort, sie werden nur noch abgefragt", "corrected errors do not announce themselves, they are only polled"},
	{"mce", "nobootlog", hidesMemory, "Machine Checks vom vorigen Lauf werden beim Start nicht gemeldet", "machine checks of the run before are not reported at boot"},
	{"nowatchdog", "", hidesKernel, "hängende Prozessoren meldet niemand", "nobody reports processors that hang"},
	{"nosoftlockup", "", hidesKernel, "hängende Prozessoren meldet niemand", "nobody reports processors that hang"},
	{"nmi_watchdog", "0", hidesKernel, "Prozessoren, die ohne Interrupts hängen, meldet niemand", "nobody reports processors that hang with interrupts off"},

	{"pcie_acs_override", "*", claimsApart, "IOMMU-Gruppen werden geteilt, ohne dass die Hardware trennt; ein Kernel ohne den Patch übergeht das Wort", "IOMMU groups are split although the hardware does not separate; a kernel without the patch ignores the word"},
	{"vfio.enable_unsafe_noiommu_mode", "1", claimsApart, "Geräte lassen sich ohne IOMMU durchreichen, also ohne jede Trennung", "devices can be passed through without an IOMMU, that is with no separation at all"},
	{"vfio_iommu_type1.allow_unsafe_interrupts", "1", claimsApart, "Durchreichen ohne Interrupt-Remapping ist erlaubt; ein Gast kann fremde Interrupts auslösen", "passthrough without interrupt remapping is allowed; a guest can raise interrupts of others"},
	{"vfio_pci.disable_denylist", "1", claimsApart, "vfio-pci nimmt auch Geräte, die sich nicht sicher durchreichen lassen", "vfio-pci takes devices too that cannot be passed through safely"},
	{"iommu", "off", lowersGuards, "die IOMMU ist aus; jedes Gerät erreicht den ganzen Speicher", "the IOMMU is off; every device reaches all memory"},
	{"intel_iommu", "off", lowersGuards, "die IOMMU ist aus; jedes Gerät erreicht den ganzen Speicher", "the IOMMU is off; every device reaches all memory"},
	{"amd_iommu", "off", lowersGuards, "die IOMMU ist aus; jedes Gerät erreicht den ganzen Speicher", "the IOMMU is off; every device reaches all memory"},
	{"iommu", "pt", lowersGuards, "Geräte des Hosts werden nicht übersetzt; sie erreichen den ganzen Speicher, bis eines durchgereicht wird", "the host's devices are not translated; they reach all memory until one is passed through"},
	{"iommu.passthrough", "1", lowersGuards, "Geräte des Hosts werden nicht übersetzt; sie erreichen den ganzen Speicher, bis eines durchgereicht wird", "the host's devices are not translated; they reach all memory until one is passed through"},
	{"intremap", "off", lowersGuards, "Interrupt-Remapping ist aus", "interrupt remapping is off"},
	{"pci", "disable_acs_redir", lowersGuards, "an den genannten Ports leitet ACS Zugriffe nicht mehr zur IOMMU um", "at the ports named, ACS no longer redirects accesses to the IOMMU"},
}
