/** Lock times below are DAA scores, others unix milliseconds. */
export const LOCK_TIME_THRESHOLD = 500_000_000_000n

/** The sequence of an input for which the lock time of its transaction does not count. */
export const MAX_SEQUENCE: bigint = 2n ** 64n - 1n

/** The bit of a sequence that switches its relative lock off. */
export const SEQUENCE_LOCK_DISABLED: bigint = 1n << 63n

/** The bits of a sequence that hold the relative lock, in DAA score. */
export const SEQUENCE_LOCK_MASK = 0xffff_ffffn
