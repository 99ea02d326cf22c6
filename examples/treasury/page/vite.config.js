import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [vue()],
  define: { __VUE_CHAIN_WASM__: 'false' }, // the page signs with vue-chain/light: no WASM file in the build
  build: { outDir: '../dist', emptyOutDir: true, assetsInlineLimit: 0 },
})
