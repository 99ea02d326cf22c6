export function convertGlue(glue: string, runtime: string, origin: string): string
export function convertTypings(typings: string): string
