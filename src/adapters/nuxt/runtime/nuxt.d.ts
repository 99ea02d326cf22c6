/** The part of Nuxt that the runtime files use. Nuxt resolves these names when it builds an app. */
declare module '#imports' {
  type Data = Record<string, unknown>

  interface NuxtHooks {
    'app:data:refresh': (keys?: readonly string[]) => Promise<void> | undefined
    'app:suspense:resolve': () => void
    'app:rendered': () => void
  }

  interface Hooks {
    hookOnce<Name extends keyof NuxtHooks>(name: Name, run: NuxtHooks[Name]): () => void
  }

  export interface NuxtApp {
    readonly vueApp: import('vue').App
    /** True until the first page is hydrated. */
    readonly isHydrating?: boolean
    readonly payload: { readonly data: Data }
    /** Data of prerendered pages that the app navigates to. */
    readonly static: { readonly data: Data }
    /** On a server only. `node` is missing where the server is not Node's. */
    readonly ssrContext?: {
      readonly event: { readonly node?: { readonly res: { once(name: 'close', run: () => void): void } } }
    }
    readonly hooks: Hooks
    hook<Name extends keyof NuxtHooks>(name: Name, run: NuxtHooks[Name]): () => void
  }

  export function defineNuxtPlugin(plugin: { name: string; setup(nuxtApp: NuxtApp): void }): unknown
  export function useRuntimeConfig(event?: object): import('../module-options.js').ChainRuntimeConfig
}

/** Written by the module: what nuxt.config cannot serialise. */
declare module '#build/vue-chain.options.mjs' {
  export const sdk: import('vue-chain').SdkSource | undefined
  /** The default export of `chain.options.ts`. */
  export const appOptions: import('vue-chain').VueChainOptions
}
