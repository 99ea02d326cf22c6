import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npm } from './pack.mjs'

/** Pays on a network in memory with the installed package, and imports every entry that Node has. */
const PROGRAM = `
import { createMemoryDevnode } from 'vue-chain/devnode/memory'
import { light } from 'vue-chain/light'
import { createChainEngine } from 'vue-chain/streams'
import manifest from 'vue-chain/package.json' with { type: 'json' }
const needsPeers = './feed/consumer' // imports a NATS client, an optional peer
const modules = Object.entries(manifest.exports).filter(([entry, target]) => target.node && entry !== needsPeers)
for (const [entry] of modules) await import('vue-chain' + entry.slice(1))
const devnode = await createMemoryDevnode({ blockInterval: 0 })
const engine = createChainEngine({ ...devnode.engineOptions, sdk: light })
await engine.connection.connect()
await engine.wasm.init()
const [from, to] = devnode.accounts
await engine.transactions.send({
  entries: await engine.rpc.getUtxosByAddresses([from.address]),
  outputs: [{ address: to.address, amount: 1_250_000_000n }],
  changeAddress: from.address,
  privateKeys: [from.privateKeyHex],
})
await devnode.mine(2)
const { balance } = await engine.rpc.getBalanceByAddress(to.address)
await engine.dispose()
await devnode.close()
console.log(JSON.stringify({ version: manifest.version, entries: modules.length, balance: String(balance) }))
`

/** Installs the tarballs in an empty folder, pays with the library and creates an app. Throws where anything fails. */
export function tryOut([library, create]) {
  const folder = mkdtempSync(join(tmpdir(), 'vue-chain-release-'))
  const node = (args) => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).trim()
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
    npm(
      ['install', '--prefer-offline', '--no-audit', '--no-fund', library.tarball, create.tarball, 'rxjs', 'vue'],
      folder,
    )
    writeFileSync(join(folder, 'pay.js'), PROGRAM)
    const { version, entries, balance } = JSON.parse(node(['--no-warnings', 'pay.js']))
    if (version !== library.version) throw new Error(`The installed version is ${version}, not ${library.version}`)
    if (balance !== '101250000000') throw new Error(`The payment was not received: the balance is ${balance}`)
    node(['node_modules/create-vue-chain/dist/main.js', 'app', '--template', 'vanilla'])
    if (!existsSync(join(folder, 'app/package.json'))) throw new Error('create-vue-chain wrote no app')
    return `${entries} entries imported, a payment received, an app created`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
