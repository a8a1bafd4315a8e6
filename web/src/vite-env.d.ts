/// <reference types="vite/client" />

declare module '@renyi/engine/renyi.wasm?url' {
  const address: string;
  export default address;
}
