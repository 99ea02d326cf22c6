/** Runs code as a module; its default export. */
export async function runModule(code: string): Promise<unknown> {
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
  const module: { readonly default?: unknown } = await import(/* @vite-ignore */ url)
  return module.default
}
