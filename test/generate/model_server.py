"""An HTTP server that speaks the protocol of chat completions, for tests.

It is no model: it says what a test has written down, one entry for each request, the last one
again and again. Entries are functions that get the handler, or texts that are streamed.
"""
import http.server
import json
import threading
import time


class Server:
    def __init__(self, *entries):
        self.entries, self.requests, self.times, self.lock = list(entries), [], [], threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with outer.lock:
                    outer.requests.append({"path": self.path, "headers": dict(self.headers), "body": body})
                    outer.times.append(time.monotonic())
                    entry = outer.entries.pop(0) if len(outer.entries) > 1 else outer.entries[0]
                try:
                    (entry if callable(entry) else stream(entry))(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    def close(self):
        self.http.shutdown()
        self.http.server_close()


def event(content=None, finish=None):
    delta = {} if content is None else {"content": content}
    return "data: " + json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}) + "\n\n"


def begin(handler, kind="text/event-stream", status=200, headers=()):
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    for name, value in headers:
        handler.send_header(name, value)
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.close_connection = True


def stream(text, size=7, finish="stop", done=True):
    """The text in pieces, as a model says it."""
    def say(handler):
        begin(handler)
        handler.wfile.write(b": a comment\r\n\r\n" + event().encode())
        for at in range(0, len(text), size):
            handler.wfile.write(event(text[at:at + size]).encode())
        if finish:
            handler.wfile.write(event(finish=finish).encode())
        if done:
            handler.wfile.write(b"data: [DONE]\n\n")
    return say


def whole(text):
    """One object: what servers say that do not stream."""
    def say(handler):
        begin(handler, "application/json")
        handler.wfile.write(json.dumps({"choices": [{"message": {"role": "assistant", "content": text},
                                                     "finish_reason": "stop"}],
                                        "usage": {"prompt_tokens": 11, "completion_tokens": 22}}).encode())
    return say


def refuse(status, *headers, text="no"):
    def say(handler):
        begin(handler, "application/json", status, headers)
        handler.wfile.write(json.dumps({"error": {"message": text}}).encode())
    return say


def cut(text):
    """The connection ends in the middle."""
    return stream(text, finish=None, done=False)


def hang_up(handler):
    handler.connection.close()
    handler.close_connection = True


def nonsense(data=b"<html>this is no answer</html>"):
    def say(handler):
        begin(handler)
        handler.wfile.write(data)
    return say


def flood(megabytes):
    """More than anyone wants to read."""
    def say(handler):
        begin(handler)
        piece = event("x" * 1000).encode()
        for _ in range(megabytes * 1000):
            handler.wfile.write(piece)
        handler.wfile.write(event(finish="stop").encode() + b"data: [DONE]\n\n")
    return say
