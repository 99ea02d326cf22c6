/** The fakes of browser wallets as one script: `window.fakeWallets` once it has run. */
export function bundleFakeWallets(): Promise<string>
