/** The files of the folder `test/contract/api` by name, and the errors of the compiler in the declarations. */
export function describeSurface(): { readonly files: Map<string, string>; readonly errors: readonly string[] }
