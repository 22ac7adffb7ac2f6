"""Live input whose time is told by the test."""

import os

from treaty._live import LiveInput


class Script:
    """A pipe that is filled as the script says: (seconds of waiting before, bytes)."""

    def __init__(self, *events):
        self.events, self.now = list(events), 0.0
        self.reader, self.writer = os.pipe()
        self.next = 0.0

    def ready(self, handle, seconds):
        assert handle == self.reader
        if not self.events:  # the end of the input is something to read, too
            self._close()
            return True
        wait, data = self.events[0]
        if wait > seconds:
            self.now += seconds
            self.events[0] = (wait - seconds, data)
            return False
        self.now += wait
        self._write()
        return True

    def _write(self):
        os.write(self.writer, self.events.pop(0)[1])

    def _close(self):
        if self.writer is not None:
            os.close(self.writer)
        self.writer = None

    def live(self):
        """What is to be tested reads from this; a read that would wait for ever gets the next."""
        script = self

        class Told(LiveInput):
            def _read(self):
                import select

                if script.writer is not None and not select.select([script.reader], [], [], 0)[0]:
                    if script.events:
                        script.now += script.events[0][0]
                        script._write()
                    else:
                        script._close()
                return super()._read()

        return Told(self.reader, 0.3, self.ready, lambda: self.now)
