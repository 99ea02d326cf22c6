/** Rows of columns that are no UTXOs any more: a bit a row, set for a dead one; null where none is dead. */
export type DeadRows = Uint8Array | null

export const isDead = (dead: DeadRows, row: number): boolean =>
  dead !== null && ((dead[row >> 3] ?? 0) & (1 << (row & 7))) !== 0

/** No row of `count` is dead yet. */
export const noDeadRows = (count: number): Uint8Array => new Uint8Array((count + 7) >> 3)

export function markDead(dead: Uint8Array, row: number): void {
  dead[row >> 3] = (dead[row >> 3] ?? 0) | (1 << (row & 7))
}
