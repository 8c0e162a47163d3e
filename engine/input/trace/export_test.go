package trace

// ReadSWF reads a log without recognising it first.
var ReadSWF = swf.rowTasks
