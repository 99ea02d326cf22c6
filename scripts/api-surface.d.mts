/** The files of the folder `test/contract/api` by name. */
export function describeSurface(): Map<string, string>
