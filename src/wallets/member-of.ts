/** A member of an object from the page. Undefined if the access throws. */
export function memberOf(object: object, name: string): unknown {
  try {
    const member: unknown = Reflect.get(object, name)
    return member
  } catch {
    return undefined // a getter that throws, or a revoked proxy of a removed extension
  }
}
