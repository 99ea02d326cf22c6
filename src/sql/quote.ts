/** A name in a statement. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
