/** The shape of a JSON value: the types of each field by its path, without list positions. Null matches every type. */
export function shapeOf(value: unknown, path = '$', shape = new Map<string, Set<string>>()): Map<string, Set<string>> {
  note(shape, path, typeOf(value))
  if (Array.isArray(value)) for (const item of value) shapeOf(item, `${path}[]`, shape)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) shapeOf(item, `${path}.${key}`, shape)
  }
  return shape
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value)

function note(shape: Map<string, Set<string>>, path: string, type: string): void {
  shape.set(path, (shape.get(path) ?? new Set()).add(type))
}

/**
 * The differences of two shapes: missing and additional fields, other types. Fields below a null or an empty list are
 * ignored.
 */
export function differencesOf(mine: Map<string, Set<string>>, theirs: Map<string, Set<string>>): string[] {
  const paths = [...new Set([...mine.keys(), ...theirs.keys()])]
  return paths.flatMap((path) => {
    const [here, there] = [mine.get(path), theirs.get(path)]
    const parent = path.replace(/(\[\]|\.\w+)$/, '')
    if (here === undefined) return isUnknown(mine.get(parent), path) ? [] : [`${path} is missing`]
    if (there === undefined) return isUnknown(theirs.get(parent), path) ? [] : [`${path} is too much`]
    const types = (types: Set<string>) => [...types].filter((type) => type !== 'null')
    const clash = types(here).length > 0 && types(there).length > 0 && types(here).join() !== types(there).join()
    return clash ? [`${path} is ${types(here).join()}, not ${types(there).join()}`] : []
  })
}

/** Whether the field is below a null or an empty list. */
function isUnknown(parent: Set<string> | undefined, path: string): boolean {
  return parent === undefined || path.endsWith('[]') || [...parent].every((type) => type === 'null')
}
