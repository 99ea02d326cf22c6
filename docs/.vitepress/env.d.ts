declare module '*.vue' {
  import type { Component } from 'vue'
  const component: Component
  export default component
}

declare module 'virtual:live-examples' {
  import type { Component } from 'vue'

  /** The example of each page by its name. */
  const examples: Readonly<
    Record<string, { readonly source: string; load(): Promise<{ readonly default: Component }> }>
  >
  export default examples
}

declare module 'virtual:start-example' {
  import type { Component } from 'vue'

  /** The example of the start page. */
  const component: Component
  export default component
}

declare module '*?single-file' {
  /** A script with everything that the module imports, as text. */
  const code: string
  export default code
}

declare module 'playground' {
  import type { VueChainOptions } from 'vue-chain'
  import type { MemoryDevnode } from 'vue-chain/devnode/memory'

  /** The network of the program. */
  export const devnode: MemoryDevnode
  /** Options of an engine, or of the plugin, on this network. */
  export const options: VueChainOptions
}
