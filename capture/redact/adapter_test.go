package redact

import "testing"

func TestAdapters(t *testing.T) {
	testDrawn(t, []drawn{
		{"ports of Fibre Channel in a log", dmesg, "NVME-FC{0}: create association : host wwpn 0x«21000024ff4a5b6c»  rport wwpn 0x«500a09839f1e2d3c»: NQN \"nqn.x\""},
		{"WWPN without 0x", dmesg, "zfcp: wwpn «500a09839f1e2d3c» lun 0"},
		{"drive of smartpqi", dmesg, "smartpqi 0000:03:00.0: added 3:0:0:0 «5001438041f2a3b0» Direct-Access     ATA"},
		{"volume of smartpqi", dmesg, "smartpqi 0000:03:00.0: added 3:1:0:0 0000004000000000 Direct-Access     HPE"},
		{"registers with sixteen digits", dmesg, "RAX: 5001438041f2a3b0 RBX: 500143804100aabb"},
		{"expander", dmesg, "sas: ex «500056b3a1b2c3ff» phy00:S:9 attached: «500056b3a1b2c300» (host)"},
		{"address of SAS behind a blank", dmesg, "aic94xx: SAS addr «5003048000123456», PCBA SN «M7A1234567», 8 phys"},
		{"serial number of aacraid", dmesg, "AAC0: serial «9F1C2B3»"},
		{"serial number of a board", dmesg, "netxen_nic: Board S/N «AD12345678»  Chip rev 0x42"},
		{"serial no", dmesg, "megaraid_sas 0000:03:00.0: serial no: «SV12345678»"},
		{"serial number in /proc/cpuinfo", "proc/cpuinfo", "Hardware\t: BCM2835\nSerial\t\t: «100000007c4f1a2b»\nModel\t\t: Raspberry Pi 4"},
		{"none in /proc/cpuinfo", "proc/cpuinfo", "Serial\t\t: 0000000000000000"},
		{"memory of CXL", dmesg, "cxl_mem mem0: serial 0x«a1b2c3d4e5f60718»"},
		{"numbers that are no secrets", dmesg, "nvme 0000:c5:00.0: key=value pass=2 token=0x12"},
		{"pod", dmesg, "oom-kill:task_memcg=/kubepods/burstable/pod«1b2c3d4e-5f60-4718-92a3-b4c5d6e7f809»,"},
		{"pod of systemd", dmesg, "kubepods-burstable-pod«1b2c3d4e_5f60_4718_92a3_b4c5d6e7f809».slice"},
		{"subsystem without a qualified name", dmesg, "nvme nvme1: new ctrl: NQN \"«kestrel-sub7»\", addr"},
		{"subsystem of a target", dmesg, "nvmet: creating nvm controller 1 for subsystem «kestrel-sub7» for NQN nqn.2014-08.org.nvmexpress:uuid:«1b2c3d4e-5f60-4718-92a3-b4c5d6e7f809»."},
		{"host at a cable", dmesg, "thunderbolt 0-1: new host found, vendor=0x8086 device=0x1\nthunderbolt 0-1: Intel Corp. «kestrel77»"},
		{"device at a cable", dmesg, "thunderbolt 0-1: new device found, vendor=0x3d device=0x11\nthunderbolt 0-1: CalDigit, Inc. TS3 Plus"},
		{"server of NFS with an error", dmesg, "NFS: state manager: lease expired failed on NFSv4 server «filer3».«wald.test» with error 13"},
		{"cell of AFS", dmesg, "afs: Lost contact with file server «10.77.3.66» in cell «wald.test»"},
		{"command in JSON", "samples/links.jsonl", `{"command":["iperf3","-c","«nas5».«wald.test»","--password","«geheim57»","-t","10"]}`},
	})
}
