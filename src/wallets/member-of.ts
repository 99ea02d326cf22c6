/**
 * A member of an object that others have put into the page. Undefined also where looking for it throws: to us, an object
 * that does not want to be looked into has no such member.
 */
export function memberOf(object: object, name: string): unknown {
  try {
    const member: unknown = Reflect.get(object, name)
    return member
  } catch {
    return undefined // a getter of the page's own, or an object whose extension has taken it back
  }
}
