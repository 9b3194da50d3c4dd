package judge

// What an error code of a machine check is about.
const (
	mcaMemory   = "memory"
	mcaCache    = "cache"
	mcaTLB      = "tlb"
	mcaBus      = "bus"
	mcaLink     = "link"
	mcaTimeout  = "timeout"
	mcaInternal = "internal"
	mcaThermal  = "thermal"
	mcaUnknown  = ""
)

// mcaCode is one form of the error code, the low 16 bits of a bank's status.
type mcaCode struct {
	Mask, Value uint16
	Class       string
}

// mcaCodes are the forms of the error code, the first that fits. Source: Intel
// SDM volume 3B, "Interpreting Machine-Check Error Codes" (simple and compound
// codes; bit 12 says that corrections are filtered); AMD's forms of caches, TLB
// and bus are the same.
var mcaCodes = []mcaCode{
	{0xffff, 0x0000, mcaUnknown},
	{0xffff, 0x0400, mcaTimeout}, // internal timer
	{0xfc00, 0x0400, mcaInternal},
	{0xfff8, 0x0000, mcaInternal}, // unclassified, microcode, external, parity
	{0xeffc, 0x000c, mcaCache},
	{0xeff0, 0x0010, mcaTLB},
	{0xef80, 0x0080, mcaMemory},
	{0xef80, 0x0280, mcaMemory}, // memory used as a cache
	{0xef00, 0x0100, mcaCache},
	{0xe800, 0x0800, mcaBus},
}

// mcaBank is a bank whose code says more, or another thing, than its form.
type mcaBank struct {
	Vendor string // "AMD", "Intel", "" for any
	Bank   int
	Ext    int // bits 16 to 21 of the status, -1 for any
	Code   int // low 16 bits of the status, -1 for any
	Class  string
	De, En string
}

// mcaBanks: bank 128 is the kernel's own (arch/x86/include/asm/mce.h,
// MCE_THERMAL_BANK); the others are AMD's scalable MCA from family 17h on
// (the kernel's words for the codes: smca_ex_mce_desc and smca_pie_mce_desc, which
// drivers/edac/mce_amd.c had before rasdaemon took them over), whose bank numbers
// hold for the processors seen so far.
var mcaBanks = []mcaBank{
	{"", 128, -1, -1, mcaThermal, "Meldung des Kernels, dass der Prozessor gedrosselt wird", "message of the kernel that the processor is throttled"},
	{"AMD", 5, 0, 0x0108, mcaTimeout, "die Ausführungseinheit wartete zu lange auf einen Zugriff, der nie fertig wurde", "the execution unit waited too long for an access that never completed"},
	{"AMD", 27, 2, -1, mcaLink, "Fehler auf einer Verbindung zwischen Teilen des Prozessors oder zu einem Gerät", "error on a link between parts of the processor or to a device"},
}

// mcaUnits are words by which the kernel's decoder names what is concerned
// (drivers/edac/mce_amd.c, smca_long_names and, in kernels that still have them,
// the descriptions), the first that fits.
var mcaUnits = []struct{ part, class string }{
	{"Link Error", mcaLink},
	{"link error", mcaLink},
	{"DRAM ECC", mcaMemory},
	{"Unified Memory Controller", mcaMemory},
	{"watchdog", mcaTimeout},
	{"Watchdog", mcaTimeout},
	{"Cache", mcaCache},
	{"Load Store", mcaCache},
	{"Instruction Fetch", mcaCache},
	{"Coherent Slave", mcaBus},
	{"Northbridge IO", mcaLink}, // before the whole northbridge of older families
	{"Northbridge", mcaBus},
	{"PCI Express", mcaLink},
	{"PCIe Link", mcaLink},
}

// mcaMeanings say what a class is about.
var mcaMeanings = map[string]struct{ De, En string }{
	mcaMemory:   {"Speichercontroller", "memory controller"},
	mcaCache:    {"Cache des Prozessors", "cache of the processor"},
	mcaTLB:      {"Adressübersetzung des Prozessors (TLB)", "address translation of the processor (TLB)"},
	mcaBus:      {"Verbindung zwischen Prozessorteilen", "connection between parts of the processor"},
	mcaLink:     {"Verbindung (Link)", "link"},
	mcaTimeout:  {"ein Zugriff, der nie fertig wurde", "an access that never completed"},
	mcaInternal: {"Innenleben des Prozessors", "inside of the processor"},
	mcaThermal:  {"Temperatur", "temperature"},
	mcaUnknown:  {"nicht entschlüsselt", "not decoded"},
}
