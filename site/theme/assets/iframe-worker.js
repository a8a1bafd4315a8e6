// Search runs in a worker, and browsers start none for pages opened as files. There, this stands in for it: the script
// runs in a hidden frame, which exchanges messages with the page as a worker would.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(script) {
      super();
      this.onmessage = null;
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inside = this.frame.contentWindow;
      // What the script posts goes to the page; what the page posts goes to the script's own listeners.
      inside.postMessage = (data) => this.receive(data);
      inside.importScripts = (...urls) => urls.reduce(
        (before, url) => before.then(() => load(inside.document, url)), Promise.resolve());
      load(inside.document, script).then(() => {
        this.ready = true;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      });
    }

    receive(data) {
      const event = new MessageEvent("message", {data});
      if (this.onmessage) this.onmessage(event);
      this.dispatchEvent(event);
    }

    postMessage(data) {
      if (!this.ready) return void this.waiting.push(data);
      const inside = this.frame.contentWindow;
      inside.dispatchEvent(new inside.MessageEvent("message", {data}));
    }

    terminate() {
      this.frame.remove();
    }
  };

  // Runs a script in a document, and reports when it has run.
  function load(document, url) {
    return new Promise((done, failed) => {
      const script = document.createElement("script");
      script.onload = done;
      script.onerror = () => failed(new Error(`not loaded: ${url}`));
      script.src = url;
      document.documentElement.appendChild(script);
    });
  }
}
