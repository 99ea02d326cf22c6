import { shallowRef, watch } from 'vue'
import { light } from 'vue-chain/light'
import type { VueChainOptions } from 'vue-chain'

export type SdkName = 'wasm' | 'light'

const KEY = 'vue-chain-demo-sdk'

/** The code that derives keys and signs, persisted in localStorage. */
export const sdkName = shallowRef<SdkName>(localStorage.getItem(KEY) === 'light' ? 'light' : 'wasm')

/** The option `sdk` of the plugin. */
export const sdk: VueChainOptions['sdk'] = sdkName.value === 'light' ? light : undefined

// An engine has one SDK for its lifetime.
watch(sdkName, (name) => {
  localStorage.setItem(KEY, name)
  location.reload()
})
