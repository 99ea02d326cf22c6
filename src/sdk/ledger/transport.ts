/**
 * The connection to a device: a transport of Ledger, such as `@ledgerhq/hw-transport-webhid`, whose parts the package
 * of the app uses.
 */
export interface LedgerTransport {
  /** One command and its reply, the status word included. */
  send(cla: number, ins: number, p1: number, p2: number, data?: Uint8Array, statusList?: number[]): Promise<Uint8Array>
  decorateAppAPIMethods(self: object, methods: string[], scrambleKey: string): void
  /** Known of devices over USB and Bluetooth. */
  readonly deviceModel?: { readonly id: string } | null | undefined
}
