/** Names that npm refuses. */
const RESERVED = ['node_modules', 'favicon.ico']

/**
 * Why a name cannot be the name of an app that depends on `dependencies`; undefined where it can. A package cannot
 * depend on a package of its own name.
 */
export function problemOfName(name: string, dependencies: readonly string[] = []): string | undefined {
  if (RESERVED.includes(name) || dependencies.includes(name)) return `"${name}" is the name of another package.`
  if (/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name)) return undefined
  const suggestion = toPackageName(name)
  const example = suggestion === '' ? '' : `, for example ${suggestion}`
  return `"${name}" is no name of a package: use lower-case letters, digits, ".", "-" and "_"${example}.`
}

/** The nearest valid name; empty where nothing is left. */
const toPackageName = (name: string): string =>
  name
    .toLowerCase()
    .split(/[^a-z0-9._]+/)
    .filter(Boolean)
    .join('-')
    .replace(/^[._-]+/, '')
