/** Entry point `vue-chain/nuxt`: the module for Nuxt 3.15 and later, and 4. */
import {
  addComponent,
  addImports,
  addPlugin,
  addServerImports,
  addTemplate,
  createResolver,
  defineNuxtModule,
  findPath,
} from '@nuxt/kit'
import type { Nuxt, NuxtModule } from '@nuxt/schema'
import { ChainError } from '../../errors/chain-error.js'
import { checkModuleOptions, type ModuleOptions, toRuntimeConfig } from './module-options.js'
import { isAutoImported, dependenciesOf } from './build-hints.js'
import { addDevtoolsTab } from './devtools/tab.js'

export type { ModuleOptions, RestModuleOptions } from './module-options.js'

declare module '@nuxt/schema' {
  interface NuxtConfig {
    /** Options of `vue-chain/nuxt`. */
    chain?: Partial<ModuleOptions> | false
  }
}

/** What only Nuxt's own types name; they come with packages that this library does not need. */
interface BuildOptions {
  vite: { optimizeDeps?: { include?: string[] }; define?: Record<string, string> }
  nitro: {
    externals?: { traceOptions?: { ignore?: string[] } }
    esbuild?: { options?: { target?: string | string[] } }
  }
}

const OPTIONS_FILE = 'chain.options'

/** `modules: ['vue-chain/nuxt']`, with options under `chain`. An unknown or invalid option stops the build. */
const vueChainModule: NuxtModule<ModuleOptions> = defineNuxtModule<ModuleOptions>({
  meta: { name: 'vue-chain', configKey: 'chain', compatibility: { nuxt: '>=3.15.0' } },
  async setup(options, nuxt) {
    check(options)
    addRuntimeConfig(options, nuxt)
    await addNames()
    if (options.css === true) nuxt.options.css.push('vue-chain/style.css')
    await addOptionsFile(options, nuxt)
    configureBuild(options, nuxt.options.rootDir, nuxt.options as unknown as BuildOptions) // see BuildOptions
    const files = createResolver(import.meta.url)
    nuxt.options.build.transpile.push(files.resolve('./runtime')) // its imports are names of Nuxt
    addPlugin(files.resolve('./runtime/plugin'))
    addServerImports([{ name: 'useChainServer', from: 'vue-chain/nuxt/server' }])
    if (!nuxt.options.dev) return
    // after the other, whose app it uses
    addPlugin({ src: files.resolve('./runtime/devtools'), mode: 'client' }, { append: true })
    addDevtoolsTab(nuxt)
  },
})
export default vueChainModule

function check(options: ModuleOptions): void {
  try {
    checkModuleOptions(options)
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    throw new Error(`Key "chain" of nuxt.config: ${String(cause)}`, { cause }) // Nuxt prints the message only
  }
}

/** Values that the app has set in `runtimeConfig` come first. */
function addRuntimeConfig(options: ModuleOptions, { options: { runtimeConfig } }: Nuxt): void {
  const { chain, public: values } = toRuntimeConfig(options)
  runtimeConfig.chain = { ...chain, ...(runtimeConfig.chain as object | undefined) }
  runtimeConfig.public.chain = { ...values.chain, ...(runtimeConfig.public.chain as object | undefined) }
}

/** The names of the installed library, so that the list cannot be out of date. */
async function addNames(): Promise<void> {
  const names = Object.keys(await import('vue-chain')).filter(isAutoImported)
  addImports(names.map((name) => ({ name, from: 'vue-chain' })))
  addComponent({ name: 'ConnectWallet', export: 'ConnectWallet', filePath: 'vue-chain' })
}

/** What cannot be serialised is imported by the app. Restarts Nuxt when the app's file is created or deleted. */
async function addOptionsFile({ sdk }: ModuleOptions, nuxt: Nuxt): Promise<void> {
  const folders = nuxt.options._layers.map(({ config }) => config.srcDir)
  const file = await findPath(folders.map((folder) => `${folder}/${OPTIONS_FILE}`))
  addTemplate({
    filename: 'vue-chain.options.mjs',
    getContents: () =>
      [
        sdk === 'light' ? "export { light as sdk } from 'vue-chain/light'" : 'export const sdk = undefined',
        file === null
          ? 'export const appOptions = {}'
          : `export { default as appOptions } from ${JSON.stringify(file)}`,
      ].join('\n'),
  })
  nuxt.hook('builder:watch', async (event, path) => {
    if (event !== 'change' && path.includes(OPTIONS_FILE)) await nuxt.callHook('restart')
  })
}

/**
 * Vite bundles the library before the first page is opened. The server renders without WASM, so that its output is not
 * given 11 MB of it; its code has bigints, of which Nitro's default target warns line by line.
 */
function configureBuild({ sdk }: ModuleOptions, root: string, { vite, nitro }: BuildOptions): void {
  vite.optimizeDeps ??= {}
  vite.optimizeDeps.include ??= []
  vite.optimizeDeps.include.push(...dependenciesOf(root, sdk))
  if (sdk === 'light') vite.define = { __VUE_CHAIN_WASM__: 'false', ...vite.define } // no WASM file in the build
  nitro.esbuild ??= {}
  nitro.esbuild.options ??= {}
  nitro.esbuild.options.target ??= 'es2022'
  nitro.externals ??= {}
  nitro.externals.traceOptions ??= {}
  nitro.externals.traceOptions.ignore ??= []
  nitro.externals.traceOptions.ignore.push('**/vue-chain/dist/sdk/*.wasm')
}
