import * as x402Http from '@x402/core/http'
import * as x402Server from '@x402/core/server'
import * as x402Fetch from '@x402/fetch'
import * as rxjs from 'rxjs'
import * as vue from 'vue'
import * as vueChain from 'vue-chain'
import * as contracts from 'vue-chain/contracts'
import * as contractsVue from 'vue-chain/contracts/vue'
import * as cosigning from 'vue-chain/cosigning'
import * as cosigningVue from 'vue-chain/cosigning/vue'
import * as memory from 'vue-chain/devnode/memory'
import * as light from 'vue-chain/light'
import * as requests from 'vue-chain/requests'
import * as streams from 'vue-chain/streams'
import * as testing from 'vue-chain/testing'
import * as x402 from 'vue-chain/x402'
import * as counter from '../../../../../test/fixtures/contracts/modules/counter.js'
import * as token20 from '../../../../../test/fixtures/contracts/modules/token20.js'

type Exports = Readonly<Record<string, unknown>>

const MODULES: Readonly<Record<string, Exports>> = {
  '@x402/core/http': x402Http,
  '@x402/core/server': x402Server,
  '@x402/fetch': x402Fetch,
  'counter.contract': counter,
  'token20.contract': token20,
  rxjs,
  vue,
  'vue-chain': vueChain,
  'vue-chain/contracts': contracts,
  'vue-chain/contracts/vue': contractsVue,
  'vue-chain/cosigning': cosigning,
  'vue-chain/cosigning/vue': cosigningVue,
  'vue-chain/devnode/memory': memory,
  'vue-chain/light': light,
  'vue-chain/requests': requests,
  'vue-chain/streams': streams,
  'vue-chain/testing': testing,
  'vue-chain/x402': x402,
}

/**
 * Makes the library, its peers and `playground` available to `import` in this frame. `nonce` allows its script element.
 */
export function provideModules(playground: Exports, nonce: string): void {
  const modules: Readonly<Record<string, Exports>> = { ...MODULES, playground }
  Object.assign(globalThis, { playgroundModules: modules })
  const map = document.createElement('script')
  map.type = 'importmap'
  map.nonce = nonce
  map.textContent = JSON.stringify({
    imports: Object.fromEntries(Object.entries(modules).map(([name, exports]) => [name, toModule(name, exports)])),
  })
  document.head.append(map)
  map.remove() // it has been read; its nonce is not for the program
}

/** The URL of a module that exports what this bundle has. */
function toModule(name: string, exports: Exports): string {
  const names = Object.keys(exports).filter((key) => key !== 'default')
  const code = `export const { ${names.join(', ')} } = playgroundModules[${JSON.stringify(name)}]`
  return `data:text/javascript,${encodeURIComponent(code)}`
}
