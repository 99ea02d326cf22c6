/** Throws a value of any type, as wallets do with plain objects. */
export function throwValue(value: unknown): never {
  throw value
}
