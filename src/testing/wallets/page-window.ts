/** The part of `window` that an extension's script uses. */
export interface PageWindow {
  readonly document: {
    readonly readyState: string
    readonly visibilityState: string
    addEventListener(type: string, listener: () => void): void
  }
  readonly location: { readonly origin: string; readonly host: string }
  addEventListener(type: string, listener: (event: Event) => void): void
  removeEventListener(type: string, listener: (event: Event) => void): void
  dispatchEvent(event: Event): boolean
  postMessage(message: unknown, targetOrigin: string): void
}
