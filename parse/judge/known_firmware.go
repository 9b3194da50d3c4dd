package judge

import "strings"

// firmwareWord is what is known of one kind of complaint about the firmware:
// messages that hold Part.
type firmwareWord struct {
	Part   string
	De, En string
}

// firmwareWords explain the kernel's complaints, the first row that fits. The
// messages are those of arch/x86/kernel (apic, cpu, events), drivers/acpi,
// drivers/thermal, drivers/iommu and drivers/pci.
var firmwareWords = []firmwareWord{
	{"TSC_DEADLINE disabled", "der Microcode ist zu alt für den genauen Timer; Linux nimmt einen anderen", "the microcode is too old for the precise timer; Linux takes another one"},
	{"TSC ADJUST", "die Zeitzähler der Prozessoren waren verstellt; Linux hat sie angeglichen", "the processors' time counters were off; Linux aligned them"},
	{"TSC doesn't count with P0 frequency", "der Zeitzähler läuft nicht mit dem Nenntakt", "the time counter does not run at the nominal clock"},
	{"LVT offset", "ein Interrupt-Eintrag des Prozessors ist falsch vergeben; Linux nimmt einen freien", "an interrupt entry of the processor is assigned wrongly; Linux takes a free one"},
	{"corrupted hw-PMU", "die Firmware benutzt selbst Leistungszähler des Prozessors; sie fehlen den Messwerkzeugen", "the firmware uses performance counters of the processor itself; measuring tools lack them"},
	{"APIC id mismatch", "die Nummern der Prozessoren stimmen zwischen Tabelle und Hardware nicht überein", "the processors' numbers differ between table and hardware"},
	{"No valid trip", "eine Temperaturzone hat keinen brauchbaren Schwellenwert", "a thermal zone has no usable threshold"},
	{"Invalid critical threshold", "eine Temperaturzone nennt einen unmöglichen Schwellenwert und wird übergangen", "a thermal zone names an impossible threshold and is ignored"},
	{"_DOD but not _DOS", "die Grafik ist in den ACPI-Tabellen unvollständig beschrieben", "graphics are described incompletely in the ACPI tables"},
	{"_BQC", "die Helligkeitsregelung ist in den ACPI-Tabellen falsch beschrieben", "brightness control is described wrongly in the ACPI tables"},
	{"IOAPIC", "die Zuordnung der Interrupt-Controller ist unvollständig; Interrupt-Remapping kann deshalb ausbleiben", "the assignment of interrupt controllers is incomplete; interrupt remapping may stay off for that"},
	{"ivrs", "die IOMMU ist in ihrer Tabelle (IVRS) falsch beschrieben", "the IOMMU is described wrongly in its table (IVRS)"},
	{"RMRR", "ein reservierter Speicherbereich der IOMMU liegt außerhalb der Speicherkarte", "a memory range reserved for the IOMMU lies outside of the memory map"},
	{"DMAR", "die IOMMU ist in ihrer Tabelle (DMAR) falsch beschrieben", "the IOMMU is described wrongly in its table (DMAR)"},
	{"ECAM", "der erweiterte PCI-Konfigurationsraum ist nicht als belegt gemeldet; Linux benutzt ihn womöglich nicht", "extended PCI configuration space is not reported as taken; Linux may not use it"},
	{"MMCONFIG", "der erweiterte PCI-Konfigurationsraum ist nicht als belegt gemeldet; Linux benutzt ihn womöglich nicht", "extended PCI configuration space is not reported as taken; Linux may not use it"},
	{"disable invalid MCA bank", "die Firmware nennt eine Bank der Machine Checks, die es nicht gibt", "the firmware names a machine check bank that does not exist"},
	{"HEST", "die Fehlerquellen der Firmware (HEST) sind fehlerhaft beschrieben", "the firmware's error sources (HEST) are described wrongly"},
	{"GHES", "ein Fehlerbericht der Firmware (GHES) ist fehlerhaft", "an error report of the firmware (GHES) is malformed"},
	{"BERT", "der Fehlerbericht vom vorigen Lauf (BERT) ist fehlerhaft", "the error report of the run before (BERT) is malformed"},
	{"32/64X", "eine Adresse steht in der FADT zweimal und verschieden; Linux nimmt eine davon", "an address stands in the FADT twice and differs; Linux takes one of them"},
	{"Optional FADT field", "ein Feld der FADT ist nur halb ausgefüllt", "a field of the FADT is filled in by half"},
	{"AE_NOT_FOUND", "eine ACPI-Tabelle verweist auf etwas, das es auf diesem Board nicht gibt", "an ACPI table refers to something that this board does not have"},
	{"AE_ALREADY_EXISTS", "eine ACPI-Tabelle beschreibt etwas zweimal", "an ACPI table describes something twice"},
	{"Could not resolve symbol", "eine ACPI-Tabelle verweist auf etwas, das es auf diesem Board nicht gibt", "an ACPI table refers to something that this board does not have"},
	{"Failure creating named object", "eine ACPI-Tabelle beschreibt etwas zweimal", "an ACPI table describes something twice"},
	{"Incorrect checksum", "eine ACPI-Tabelle hat eine falsche Prüfsumme", "an ACPI table has a wrong checksum"},
}

// explainFirmware returns what is known of a message, or false.
func explainFirmware(text string) (firmwareWord, bool) {
	for _, w := range firmwareWords {
		if strings.Contains(text, w.Part) {
			return w, true
		}
	}
	return firmwareWord{}, false
}
