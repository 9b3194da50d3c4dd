package redact

import "testing"

func TestWholeValues(t *testing.T) {
	const sys = "lab-bundle/sys/"
	testDrawn(t, []drawn{
		{"serial number of a machine", sys + "class/dmi/id/product_serial", "«5FFDBE2X»\n"},
		{"asset tag", sys + "class/dmi/id/board_asset_tag", "«IT-88213»\n"},
		{"placeholder", sys + "class/dmi/id/chassis_asset_tag", "To be filled by O.E.M.\n"},
		{"drive", sys + "class/nvme/nvme0/serial", "«S4EWNX0R500000W»     \n"},
		{"CXL memory", sys + "bus/cxl/devices/mem0/serial", "0x«c100e2a3b4c5d6e7»\n"},
		{"root hub", sys + "bus/usb/devices/usb1/serial", "0000:00:14.0\n"},
		{"root hub of a platform", sys + "bus/usb/devices/usb1/serial", "xhci-hcd.0.auto\n"},
		{"port of Fibre Channel", sys + "class/fc_host/host3/port_name", "0x«21000024ff4a5b6c»\n"},
		{"InfiniBand", sys + "class/infiniband/mlx5_0/node_guid", "«0200:0003:001a:2b3c»\n"},
		{"elsewhere", "lab-bundle/doc/serial", "AB1234567\n"},
	})
}
