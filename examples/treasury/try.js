// `npm start`: the service on a simulated network in this process, with 20 KAS in the account. Ctrl-C ends it.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { build } from 'vite'
import { createCosigning } from 'vue-chain/cosigning'
import { createDevnode } from 'vue-chain/devnode'
import { light } from 'vue-chain/light'
import { createChainEngine } from 'vue-chain/streams'

// public test vectors: a page of a real treasury is given a mnemonic by its cosigner alone
const MNEMONICS = {
  Ann: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
  Bob: 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
  safe: 'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong',
}

const root = join(import.meta.dirname, 'page')
await build({ root, configFile: join(root, 'vite.config.js'), logLevel: 'error' })
const devnode = await createDevnode({ blockInterval: 100 })
const { PORT = '8082' } = process.env
Object.assign(process.env, { PORT, DATA: join(await mkdtemp(join(tmpdir(), 'treasury-')), 'texts.json') })

const engine = createChainEngine({ network: 'simnet', sdk: light })
await engine.wasm.init()
const keyOf = (mnemonic) => engine.keys.deriveExtendedPublicKey(mnemonic, 'simnet', { purpose: 45 })
const own = Object.fromEntries(Object.entries(MNEMONICS).map(([name, mnemonic]) => [name, keyOf(mnemonic)]))
const { accountOf } = createCosigning({ engine })
const account = await accountOf({ threshold: 2, keys: Object.values(own), own: own.Ann })
await devnode.fund(account.address(0), 2_000_000_000n)
await engine.dispose()

void import('./main.js') // ends the process at SIGTERM and SIGINT
const url = `http://127.0.0.1:${PORT}/`
while (!(await fetch(url).catch(() => undefined))) await setTimeout(100) // it is starting
for (const name of ['Ann', 'Bob']) {
  const link = new URLSearchParams({ name, network: 'simnet', node: devnode.urls.borsh, own: own[name] })
  link.set('account', account.descriptor)
  console.log(`\n${name}, who signs with "${MNEMONICS[name]}":\n${url}#${link}`)
}
console.log(`\nTo pay to: ${devnode.accounts[0].address}`)
