/** Whether a source is a Vue component; otherwise it is a module in TypeScript. */
export const isComponent = (source: string): boolean => /^<(script|template|style)\b/m.test(source)
