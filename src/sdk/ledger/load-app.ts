import { ChainError } from '../../errors/chain-error.js'
import { loadPackage } from '../../loading/load-code.js'
import type { LedgerTransport } from './transport.js'

const PACKAGE = '@ledgerhq/hw-app-kaspa'

/** The part of the package that Node can load too: its ES modules import each other without the ends of their names. */
type LedgerPackage = typeof import('@ledgerhq/hw-app-kaspa/lib/index')
type App = InstanceType<LedgerPackage['default']>

/** The Kaspa app on a device, and the records that it signs. */
export interface LedgerApp extends Pick<
  LedgerPackage,
  'KaspaHwTransaction' | 'TransactionInput' | 'TransactionOutput'
> {
  readonly app: Pick<App, 'getAddress' | 'signTransaction'>
}

/** Loads the package of the app. Rejects with `ChainError` (`package-missing`). Sends nothing to the device. */
export async function loadApp(transport: LedgerTransport): Promise<LedgerApp> {
  if (!('Buffer' in globalThis)) throw withoutBuffer()
  const loaded = await loadPackage(PACKAGE, () => import('@ledgerhq/hw-app-kaspa/lib/index'))
  const Kaspa = toConstructor(loaded.default)
  const { KaspaHwTransaction, TransactionInput, TransactionOutput } = loaded
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- the app calls methods of it only
  const app = new Kaspa(transport as ConstructorParameters<typeof Kaspa>[0])
  return { app, KaspaHwTransaction, TransactionInput, TransactionOutput }
}

/** Node and some bundlers take the exports of a CommonJS module for its default. */
function toConstructor(found: LedgerPackage['default'] | Pick<LedgerPackage, 'default'>): LedgerPackage['default'] {
  return typeof found === 'function' ? found : found.default
}

const withoutBuffer = (): ChainError =>
  new ChainError(`${PACKAGE} needs the global Buffer, which browsers do not have`, {
    code: 'package-missing',
    hint: "npm i buffer, then before the first payment: import { Buffer } from 'buffer'; globalThis.Buffer = Buffer",
  })
