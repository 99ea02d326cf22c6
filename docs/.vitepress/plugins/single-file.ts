import { build, type UserConfig } from 'vite'

const SUFFIX = '?single-file'

/** What the plugin calls of Vite: of the site's and of the tests' release, whose types differ. */
interface Resolver {
  resolve(id: string, importer?: string): Promise<{ readonly id: string } | null>
}

/**
 * `import code from './module.ts?single-file'`: a minified script with everything that the module imports, as text. For
 * a sandboxed frame, which has no origin and so loads no module from the site.
 */
export function singleFile(settings: Pick<UserConfig, 'resolve' | 'define'>) {
  const bundles = new Map<string, Promise<string>>()
  return {
    name: 'single-file',
    enforce: 'pre' as const,
    async resolveId(this: Resolver, id: string, importer?: string) {
      if (!id.endsWith(SUFFIX)) return null
      const resolved = await this.resolve(id.slice(0, -SUFFIX.length), importer)
      return resolved === null ? null : `\0${resolved.id}${SUFFIX}`
    },
    async load(id: string, { ssr = false }: { readonly ssr?: boolean | undefined } = {}) {
      if (!id.startsWith('\0') || !id.endsWith(SUFFIX)) return null
      if (ssr) return `export default ''` // only browsers have frames
      const file = id.slice(1, -SUFFIX.length)
      const code = bundles.get(file) ?? bundle(file, settings)
      bundles.set(file, code)
      return `export default ${JSON.stringify(await code)}`
    },
  }
}

async function bundle(entry: string, { resolve, define }: Pick<UserConfig, 'resolve' | 'define'>): Promise<string> {
  const outputs = await build({
    configFile: false,
    logLevel: 'error',
    ...(resolve && { resolve }),
    define: { ...define, 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      minify: 'esbuild',
      lib: { entry, formats: ['iife'], name: 'frame' },
      rollupOptions: { output: { inlineDynamicImports: true } },
    },
  })
  const [chunk] = [outputs].flat().flatMap((result) => ('output' in result ? result.output : []))
  if (chunk?.type !== 'chunk') throw new Error(`${entry} has no bundle.`)
  return chunk.code
}
