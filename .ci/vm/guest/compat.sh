# The kernel was told to run no service on PCIe ports. Meanwhile the clock is set on.
. ./errors
latent_bit
before=$(date +%s)
collect_while_set_by "1 hour"
((before + 3600 <= $(date +%s)))
