import { ChainWalletError, type ChainWalletErrorCode } from '../../errors/wallet-error.js'

interface Rule {
  readonly code: ChainWalletErrorCode
  /** Status words: of the app (`src/sw.h`), or of the device. */
  readonly status?: readonly number[]
  /** Names of errors of transports. */
  readonly names?: readonly string[]
  readonly hint: string
}

const RULES: readonly Rule[] = [
  { code: 'rejected', status: [0x6985, 0x5501], hint: 'The user rejected the request on the device.' },
  {
    code: 'device-disconnected',
    names: [
      'DisconnectedDevice',
      'DisconnectedDeviceDuringOperation',
      'TransportInterfaceNotAvailable',
      'PairingFailed',
      'InvalidStateError', // WebUSB of a device that was unplugged
    ],
    hint: 'Connect the device, open the Kaspa app on it, and create the signer with a new transport.',
  },
  {
    code: 'locked',
    status: [0x5515, 0x6982, 0x5303],
    names: ['LockedDeviceError'],
    hint: 'Unlock the device, then try again.',
  },
  {
    code: 'not-connected',
    status: [0x6d00, 0x6d02, 0x6e00, 0x6e01, 0x6511],
    hint: 'Open the Kaspa app on the device, then try again.',
  },
  { code: 'busy', names: ['TransportRaceCondition'], hint: 'Finish the request that the device shows first.' },
]

/** The error of a request to a device. */
export function toDeviceError(operation: string, cause: unknown): ChainWalletError {
  const { name, statusCode, id } = cause as { name?: unknown; statusCode?: unknown; id?: unknown }
  const isBusy = id === 'TransportLocked'
  const rule = RULES.find(
    ({ code, status = [], names = [] }) =>
      status.some((word) => word === statusCode) ||
      names.some((known) => known === name) ||
      (isBusy && code === 'busy'),
  )
  return new ChainWalletError(operation, cause, rule ?? { code: 'failed', hint: UNKNOWN })
}

const UNKNOWN = 'The device or its transport failed, see `cause`. Nothing was signed.'
