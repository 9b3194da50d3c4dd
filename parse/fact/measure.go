package fact

// Measurement is one figure that a benchmark printed: cryptsetup benchmark,
// openssl speed or iperf3; or one of a table that a person wrote. What the text
// does not tell stays empty; a figure that the tool could not take ("N/A") is
// there without its value.
type Measurement struct {
	Tool    string `json:"tool"`              // "cryptsetup benchmark", "openssl speed", "iperf3", "note"
	Version string `json:"version,omitempty"` // of the tool
	// What is the algorithm as printed, "aes-xts", "AES-256-GCM", "rsa",
	// "ecdsa (nistp256)", "PBKDF2-sha256", "argon2id"; of iperf3 the protocol,
	// "TCP" or "UDP"; of a note the implementation, "qat_aes_xts".
	What    string `json:"what,omitempty"`
	KeyBits int    `json:"keyBits,omitempty"`
	// Operation is "encrypt", "decrypt", "sign", "verify", "derive", "keygen",
	// "encapsulate", "decapsulate"; of iperf3 what the machine that printed the
	// text did, "send" or "receive".
	Operation string `json:"operation,omitempty"`
	Side      string `json:"side,omitempty"`  // iperf3: whose count it is, "sender" or "receiver"
	Block     int    `json:"block,omitempty"` // bytes that one operation worked on
	// BytesPerSecond is in bytes whatever the tool's unit: MiB/s of cryptsetup,
	// 1000s of bytes of openssl, bits of iperf3.
	BytesPerSecond Val[float64] `json:"bytesPerSecond,omitzero"`
	PerSecond      Val[float64] `json:"perSecond,omitzero"` // operations; of PBKDF2 iterations
	// Iterations and Memory (bytes) are the cost that a memory-hard function may
	// have to take Seconds.
	Iterations Val[int64] `json:"iterations,omitzero"`
	Memory     Val[int64] `json:"memory,omitzero"`
	// Clock is what the rate is over: "elapsed" time, or "cpu", the time that
	// the program itself computed, which leaves out what it waited for.
	Clock   string  `json:"clock,omitempty"`
	Seconds float64 `json:"seconds,omitempty"` // that it took, or was to take
	Threads int     `json:"threads,omitempty"` // processes, threads or streams at once
	Jobs    int     `json:"jobs,omitempty"`    // openssl's -async_jobs
	Engine  string  `json:"engine,omitempty"`  // openssl's engine or provider

	Retransmits Val[int64] `json:"retransmits,omitzero"` // iperf3 over TCP
	Lost        Val[int64] `json:"lost,omitzero"`        // iperf3 over UDP: datagrams
	Datagrams   Val[int64] `json:"datagrams,omitzero"`
	From        Line       `json:"from,omitzero"`
}

// The clocks of a [Measurement].
const (
	ElapsedTime = "elapsed"
	CPUTime     = "cpu"
)

// Mapping is one line of dmsetup table. Of a target other than crypt only its
// name is kept, since its parameters may hold keys; so may the line, of which
// From has only what this type has.
type Mapping struct {
	Name   string `json:"name,omitempty"`
	Target string `json:"target"`           // "crypt", "linear", ...
	Cipher string `json:"cipher,omitempty"` // "aes-xts-plain64", "capi:authenc(hmac(sha256),xts(aes))-random"
	// KeyBits is the length of the key; KeyPlace where it is: "keyring", or
	// "table" for one that is in the table itself.
	KeyBits    int      `json:"keyBits,omitempty"`
	KeyPlace   string   `json:"keyPlace,omitempty"`
	Device     string   `json:"device,omitempty"`     // below it, "8:3" or a path
	SectorSize int      `json:"sectorSize,omitempty"` // bytes; 0: 512, which is not printed
	Flags      []string `json:"flags,omitempty"`      // "allow_discards", "no_read_workqueue", ...
	From       Line     `json:"from,omitzero"`
}
