/** Throws whatever a wallet would, plain objects too: real ones do, and whoever calls them has to bear it. */
export function refuse(reason: unknown): never {
  throw reason
}
