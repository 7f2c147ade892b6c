run
break 19
continue
print t
print from
delete
continue
quit
